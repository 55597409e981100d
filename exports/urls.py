"""Addresses of imports and exports, under a project."""

from django.urls import include, path

from annotate import converters
from exports.views import downloads
from exports.views import exports as datasets
from exports.views import imports as uploads

converters.register()

imports = (
    [
        path("", uploads.imports, name="list"),
        path("<uuid:public_id>/", uploads.import_detail, name="detail"),
        path("<uuid:public_id>/cancel/", uploads.import_cancel, name="cancel"),
    ],
    "imports",
)
exports = (
    [
        path("", datasets.exports, name="list"),
        path("preview/", datasets.export_preview, name="preview"),
        path("<uuid:public_id>/", datasets.export_detail, name="detail"),
        path("<uuid:public_id>/cancel/", datasets.export_cancel, name="cancel"),
        path("<uuid:public_id>/repeat/", datasets.export_repeat, name="repeat"),
        path("<uuid:public_id>/schedule/", downloads.export_schedule, name="schedule"),
        path("<uuid:public_id>/files/<filename:name>", downloads.download, name="download"),
    ],
    "exports",
)
urlpatterns = [
    path("projects/<slug:slug>/imports/", include(imports)),
    path("projects/<slug:slug>/exports/", include(exports)),
]
