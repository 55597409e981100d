"""Under which name the work of a person leaves a project."""

from django.utils.crypto import salted_hmac

from annotate.models import Project, User


class People:
    """Names of users in the exports of one project: pseudonyms, or user names where that was asked for."""

    def __init__(self, project: Project, *, names: bool = False) -> None:
        self.project = project
        self.known: dict[int, str] = {}
        if names:
            self.known = dict(User.objects.filter(memberships__project=project).values_list("pk", "username"))
        else:
            self.known = dict(project.memberships.values_list("user_id", "pseudonym"))
        self.names = names
        self.suspended = frozenset(project.memberships.filter(is_suspended=True).values_list("user_id", flat=True))

    def name(self, user_id: int) -> str:
        """The member's name; an admin who works without a membership gets a stable pseudonym."""
        if user_id not in self.known:
            self.known[user_id] = self._username(user_id) if self.names else self._pseudonym(user_id)
        return self.known[user_id]

    @staticmethod
    def _username(user_id: int) -> str:
        return User.objects.values_list("username", flat=True).get(pk=user_id)

    def _pseudonym(self, user_id: int) -> str:
        digest = salted_hmac(f"exports.pseudonym.{self.project.pk}", str(user_id), algorithm="sha256").hexdigest()
        return f"a-{digest[:12]}"
