"""Who may open which address, as one table."""

PEOPLE = ["anonymous", "outsider", "annotator", "reviewer", "lead", "admin"]
LOGIN = 302


def row(anonymous: int, outsider: int, annotator: int, reviewer: int, lead: int, admin: int) -> dict[str, int]:
    return dict(zip(PEOPLE, [anonymous, outsider, annotator, reviewer, lead, admin], strict=True))


OPEN = row(0, 0, 0, 0, 0, 0)
SIGNED_IN = row(LOGIN, 0, 0, 0, 0, 0)
MEMBERS = row(LOGIN, 404, 0, 0, 0, 0)
REVIEWERS = row(LOGIN, 404, 403, 0, 0, 0)
LEADS = row(LOGIN, 404, 403, 403, 0, 0)
ADMINS = row(LOGIN, 403, 403, 403, 403, 0)
API_SIGNED_IN = row(403, 0, 0, 0, 0, 0)
API_MEMBERS = row(403, 404, 0, 0, 0, 0)
API_LEADS = row(403, 404, 403, 403, 0, 0)

# 0: let in. Anything else: the status that the person must get.
EXPECTED: dict[str, dict[str, int]] = {
    "home": SIGNED_IN,
    "texts": OPEN,
    "preferences": SIGNED_IN,
    "jobs:list": ADMINS,
    "projects:overview": MEMBERS,
    "projects:guidelines": MEMBERS,
    "work:start": MEMBERS,
    "work:task": MEMBERS,
    "work:draft": MEMBERS,
    "work:submit": MEMBERS,
    "work:skip": MEMBERS,
    "work:preview": MEMBERS,
    "work:differences": MEMBERS,
    "work:history": MEMBERS,
    "work:edit": MEMBERS,
    "work:leave": MEMBERS,
    "work:undo": MEMBERS,
    "reviews:mine": MEMBERS,
    "reviews:answer": row(LOGIN, 404, 404, 404, 404, 404),  # the author alone
    "reviews:appeal": row(LOGIN, 404, 404, 404, 404, 404),
    "reviews:annotation": row(LOGIN, 404, 404, 0, 0, 0),  # an annotator sees their own only
    "reviews:comment": row(LOGIN, 404, 404, 0, 0, 0),
    "reviews:choose": REVIEWERS,
    "reviews:restore": REVIEWERS,
    "reviews:queue": REVIEWERS,
    "reviews:item": REVIEWERS,
    "reviews:fix": REVIEWERS,
    "reviews:dispute": REVIEWERS,
    "reviews:dispute_preview": REVIEWERS,
    "reviews:lots": REVIEWERS,
    "reviews:lot": REVIEWERS,
    "reviews:settle": LEADS,
    "reviews:settings": LEADS,
    "media:asset": row(LOGIN, 404, 404, 0, 0, 0),  # an annotator sees the files of their own tasks only
    "imports:list": LEADS,
    "imports:detail": LEADS,
    "imports:cancel": LEADS,
    "imports:report": LEADS,
    "imports:held": LEADS,
    "imports_api:list": API_LEADS,
    "imports_api:detail": API_LEADS,
    "exports:list": LEADS,
    "exports:preview": LEADS,
    "exports:repeat": LEADS,
    "exports:schedule": LEADS,
    "exports:detail": LEADS,
    "exports:cancel": LEADS,
    "exports:download": LEADS,
    "api:projects": API_SIGNED_IN,
    "api:project": API_MEMBERS,
}
