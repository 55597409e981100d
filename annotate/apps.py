"""The labelling application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext, ngettext


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Labelling"

    def ready(self) -> None:
        """Translate with Django, and install the database's own rules after every migration."""
        from annotate import texts
        from annotate.models.triggers import install_triggers

        texts.use(gettext, ngettext)
        post_migrate.connect(install_triggers, sender=self)
