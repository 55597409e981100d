"""How static files are stored in production."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed; names inside ``import`` statements of modules are hashed too."""

    support_js_module_import_aggregation = True
