"""The labelling application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Labelling"

    def ready(self) -> None:
        """Install the database's own rules after every migration."""
        from annotate.models.triggers import install_triggers

        post_migrate.connect(install_triggers, sender=self)
