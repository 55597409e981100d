"""Create a project from a preset."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from annotate.actions.members import add_member
from annotate.actions.projects import create_project
from annotate.enums import Role
from annotate.models import User
from annotate.rules.presets import PRESETS


class Command(BaseCommand):
    help = "Create an open project from a preset."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("slug", help="Short name for addresses: small letters, digits and -.")
        parser.add_argument("--preset", required=True, choices=sorted(PRESETS))
        parser.add_argument("--name", default="", help="What people read; made from SLUG by default.")
        parser.add_argument("--overlap", type=int, help="How many annotators judge each task.")
        parser.add_argument("--lead", help="Username of the lead.")

    def handle(self, *, slug: str, preset: str, name: str, overlap: int | None, lead: str | None, **o: Any) -> None:
        person = User.objects.filter(username=lead).first() if lead else None
        if lead and person is None:
            raise CommandError(f"There is no person with the username {lead!r}. Create them in the administration.")
        changes = {"overlap": overlap} if overlap is not None else {}
        try:
            project = create_project(slug=slug, preset=preset, name=name, by=person, **changes)
        except ValidationError as error:
            lines = [f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()]
            raise CommandError("\n".join(lines)) from error
        if person:
            add_member(project=project, user=person, role=Role.LEAD, by=person)
        self.stdout.write(f"Created {project.name} at /projects/{project.slug}/.")
