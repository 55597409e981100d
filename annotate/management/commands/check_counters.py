"""Prove that the counters of tasks agree with their assignments."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.queries.counters import wrong_counters


class Command(BaseCommand):
    help = "Compare every task's counters with its assignments; exit 1 when one is wrong."

    def handle(self, **options: Any) -> None:
        wrong = list(wrong_counters())
        for task in wrong:
            self.stderr.write(
                f"Task {task.pk}: submitted_count {task.submitted_count} (counted {task.submitted}),"
                f" claimed_count {task.claimed_count} (counted {task.claimed})"
            )
        if wrong:
            raise CommandError(f"{len(wrong)} tasks have wrong counters.")
        self.stdout.write("All counters are right.")
