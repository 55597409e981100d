"""Make this installation ready: database, static files, and the demo or the first admin."""

import argparse
import getpass
import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from annotate.models import Event, User


def demo_accounts() -> Path:
    """Return where the names and passwords of the demo's people are kept."""
    return Path(settings.VAR_DIR) / "demo-accounts.txt"


def _collect_static() -> None:
    """Collect, hash and compress static files, but only when one has changed: it takes seconds."""
    stamp, now = Path(settings.STATIC_ROOT) / "stamp", _static_fingerprint()
    if not stamp.exists() or stamp.read_text() != now:
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(now)


def _static_fingerprint() -> str:
    """Return a digest of the names, sizes and times of our static files, and of what is installed."""
    digest = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    for folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).rglob("*")):
            facts = path.stat()
            digest.update(f"{path}|{facts.st_size}|{facts.st_mtime_ns}".encode())
    return digest.hexdigest()


class Command(BaseCommand):
    help = "Migrate, build static files, load the demo on the first start (or ask for the first admin)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="Ask for the first admin instead of the demo.")

    def handle(self, *, no_demo: bool, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("build_messages")
        call_command("build_static")
        _collect_static()
        unfinished_demo = demo_accounts().exists() and not Event.objects.filter(verb="demo.loaded").exists()
        if not User.objects.exists() and no_demo:
            self._first_admin()
        elif not User.objects.exists() or unfinished_demo:
            call_command("demo")

    def _first_admin(self) -> None:
        """Make the first admin from the environment (for machines) or from answers (for people)."""
        username, email = os.environ.get("ADMIN_USERNAME", ""), os.environ.get("ADMIN_EMAIL", "")
        password = os.environ.get("ADMIN_PASSWORD", "")
        if not (username and password):
            if not sys.stdin.isatty():
                raise CommandError(
                    "Nobody can sign in yet. Run this in a terminal, or set ADMIN_USERNAME, ADMIN_EMAIL and"
                    " ADMIN_PASSWORD for the first start."
                )
            username, email, password = self._ask()
        user = User(username=username, email=email, is_superuser=True, is_staff=True)
        try:
            validate_password(password, user)
            user.set_password(password)
            user.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        user.save()
        self.stdout.write(f"Created the admin {username}. Next: manage.py create_project SLUG --preset scale")

    def _ask(self) -> tuple[str, str, str]:
        self.stdout.write(f"A new installation in {settings.VAR_DIR}. Who is its first admin?")
        username = input("Username: ").strip()
        email = input("E-mail: ").strip()
        password = getpass.getpass("Password (10 characters or more): ")
        if password != getpass.getpass("Password again: "):
            raise CommandError("The two passwords differ. Start again.")
        return username, email, password
