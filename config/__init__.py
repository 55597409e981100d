"""Project configuration. The Celery application is loaded with Django, so that jobs find it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
