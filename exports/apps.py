"""The application that brings datasets in and out."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"
    verbose_name = "Datasets"
