"""The application that brings datasets in and out."""

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"
    verbose_name = "Datasets"

    def ready(self) -> None:
        from annotate import jobs
        from exports import doorbells, housekeeping

        jobs.housekeeping += [
            housekeeping.start_due_schedules,
            housekeeping.delete_expired_files,
            housekeeping.delete_old_uploads,
        ]
        jobs.spare_time.append(doorbells.ring_where_idle)
