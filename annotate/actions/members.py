"""Who is in a project."""

from django.db import transaction

from annotate.actions.events import record
from annotate.enums import Role
from annotate.models import Membership, Project, User


@transaction.atomic
def add_member(*, project: Project, user: User, role: Role, by: User | None) -> Membership:
    """Make the person a member; somebody who is one already gets the role."""
    membership, created = Membership.objects.get_or_create(user=user, project=project, defaults={"role": role})
    if created or membership.role != role:
        membership.role = role
        membership.save(update_fields=["role"])
        record("member.added" if created else "member.changed", membership, by=by, project=project, role=role)
    return membership
