"""People who sign in."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower


class User(AbstractUser):
    """A person. Site-wide power is ``is_superuser`` (an admin); everything else is a membership of a project."""

    email = models.EmailField("e-mail", blank=True)
    display_name = models.CharField(max_length=150, blank=True)
    language = models.CharField(max_length=10, blank=True, help_text="Empty: as the browser asks.")
    keys = models.JSONField(default=dict, blank=True, help_text="Action to key, where they differ from the usual ones.")
    is_imported = models.BooleanField(
        default=False, help_text="Stands for an annotator of an imported dataset; can never sign in."
    )

    class Meta(AbstractUser.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(Lower("email"), name="annotate_user_email_unique", condition=~models.Q(email="")),
            models.CheckConstraint(
                condition=models.Q(is_imported=False) | models.Q(is_active=False),
                name="annotate_user_imported_is_inactive",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What other people see."""
        return self.display_name or self.get_full_name() or self.username
