"""Invariants that span tables, kept by the database itself on SQLite and PostgreSQL.

They are installed after every ``migrate`` rather than in a migration, because SQLite changes a table by making it
anew, which drops its triggers. A violation raises ``IntegrityError`` that carries the rule's name.
"""

from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


@dataclass(frozen=True)
class Rule:
    """``violation`` is SQL that is true for a bad row, which it calls NEW."""

    name: str
    table: str
    violation: str
    on_insert: bool = True


FALSE = "(1 = 0)"  # both databases read it
_PROMPT_OF_ANNOTATION = "(SELECT prompt_id FROM annotate_annotation WHERE id = NEW.annotation_id)"
_PROMPT_OF_RESPONSE = "(SELECT prompt_id FROM annotate_response WHERE id = NEW.response_id)"
_PROJECT_OF_ANNOTATION = (
    "(SELECT t.project_id FROM annotate_annotation a JOIN annotate_prompt p ON p.id = a.prompt_id"
    " JOIN annotate_task t ON t.id = p.task_id WHERE a.id = NEW.annotation_id)"
)
_PROJECT_OF_DIMENSION = "(SELECT project_id FROM annotate_dimension WHERE id = NEW.dimension_id)"
_OTHER_PROMPT = f"{_PROMPT_OF_RESPONSE} <> {_PROMPT_OF_ANNOTATION}"


def _is_imported(person: str) -> str:
    return f"COALESCE((SELECT is_imported FROM annotate_user WHERE id = {person}), {FALSE})"  # noqa: S608 - our own names


def _own(person: str) -> str:
    """The person wrote the annotation of the row."""
    author = "(SELECT annotator_id FROM annotate_annotation WHERE id = NEW.annotation_id)"
    return f"{person} IS NOT NULL AND {person} = {author} AND NOT {_is_imported(person)}"


RULES = [
    Rule(
        "annotate_rating_response_of_prompt",
        "annotate_rating",
        f"NEW.response_id IS NOT NULL AND {_OTHER_PROMPT}",
    ),
    Rule(
        "annotate_rating_target",
        "annotate_rating",
        "(NEW.response_id IS NULL) <> ((SELECT target FROM annotate_dimension WHERE id = NEW.dimension_id)"
        " = 'comparison')",
    ),
    Rule(
        "annotate_rating_in_range",
        "annotate_rating",
        "NEW.value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM annotate_dimension d WHERE d.id = NEW.dimension_id"
        " AND NEW.value BETWEEN d.minimum AND d.maximum)",
    ),
    Rule(
        "annotate_rating_dimension_of_project",
        "annotate_rating",
        f"{_PROJECT_OF_DIMENSION} <> {_PROJECT_OF_ANNOTATION}",
    ),
    Rule("annotate_placement_response_of_prompt", "annotate_placement", _OTHER_PROMPT),
    Rule("annotate_rewrite_response_of_prompt", "annotate_rewrite", _OTHER_PROMPT),
    Rule("annotate_flag_response_of_prompt", "annotate_flag", _OTHER_PROMPT),
    Rule(
        "annotate_annotation_winner_of_prompt",
        "annotate_annotation",
        "NEW.winner_id IS NOT NULL AND"
        " (SELECT prompt_id FROM annotate_response WHERE id = NEW.winner_id) <> NEW.prompt_id",
    ),
    Rule(
        "annotate_annotation_prompt_of_assignment",
        "annotate_annotation",
        "(SELECT task_id FROM annotate_prompt WHERE id = NEW.prompt_id)"
        " <> (SELECT task_id FROM annotate_assignment WHERE id = NEW.assignment_id)",
    ),
    Rule(
        "annotate_annotation_annotator_of_assignment",
        "annotate_annotation",
        "NEW.annotator_id <> (SELECT annotator_id FROM annotate_assignment WHERE id = NEW.assignment_id)",
    ),
    Rule(
        "annotate_task_batch_of_project",
        "annotate_task",
        "NEW.project_id <> (SELECT project_id FROM annotate_batch WHERE id = NEW.batch_id)",
    ),
    # People of imported datasets can never sign in: what files say of them is kept as it is.
    Rule("annotate_review_not_own", "annotate_review", _own("NEW.reviewer_id")),
    Rule("annotate_reviewitem_not_own", "annotate_reviewitem", _own("NEW.reviewer_id")),
    Rule(
        "annotate_adjudication_not_own",
        "annotate_annotation",
        "EXISTS (SELECT 1 FROM annotate_annotation a WHERE a.prompt_id = NEW.prompt_id"  # noqa: S608 - our own names
        " AND a.annotator_id = NEW.annotator_id AND a.assignment_id <> NEW.assignment_id"
        f" AND a.is_adjudication <> NEW.is_adjudication) AND NOT {_is_imported('NEW.annotator_id')}",
    ),
    Rule(
        "annotate_appeal_by_author",
        "annotate_appeal",
        "NEW.author_id <> (SELECT a.annotator_id FROM annotate_annotation a JOIN annotate_review r"
        " ON r.annotation_id = a.id WHERE r.id = NEW.review_id)",
    ),
    Rule("annotate_event_append_only", "annotate_event", "1 = 1", on_insert=False),
    Rule("annotate_revision_append_only", "annotate_annotationrevision", "1 = 1", on_insert=False),
]


def install_triggers(using: str = "default", **kwargs: Any) -> None:
    """Make every rule of ``RULES`` hold in the database ``using``; safe to call again."""
    connection = connections[using]
    present = set(connection.introspection.table_names())
    if not {rule.table for rule in RULES} <= present:
        return  # migrated back to nothing
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[connection.vendor]
    with connection.cursor() as cursor:
        for rule in RULES:
            for statement in make(rule, connection):
                cursor.execute(statement)


def _sqlite(rule: Rule, connection: BaseDatabaseWrapper) -> list[str]:
    statements = []
    for deed in ["INSERT", "UPDATE"] if rule.on_insert else ["UPDATE"]:
        name = f"{rule.name}_{deed.lower()}"
        head = f"CREATE TRIGGER {name} BEFORE {deed} ON {rule.table} WHEN {rule.violation}"
        statements += [f"DROP TRIGGER IF EXISTS {name}", f"{head} BEGIN SELECT RAISE(ABORT, '{rule.name}'); END"]
    return statements


def _postgresql(rule: Rule, connection: BaseDatabaseWrapper) -> list[str]:
    deeds = "INSERT OR UPDATE" if rule.on_insert else "UPDATE"
    how = f"ERRCODE = 'check_violation', CONSTRAINT = '{rule.name}'"
    body = f"IF {rule.violation} THEN RAISE EXCEPTION '{rule.name}' USING {how}; END IF; RETURN NEW;"
    function = f"CREATE OR REPLACE FUNCTION {rule.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
    trigger = f"CREATE TRIGGER {rule.name} BEFORE {deeds} ON {rule.table} FOR EACH ROW EXECUTE FUNCTION {rule.name}()"
    return [function, f"DROP TRIGGER IF EXISTS {rule.name} ON {rule.table}", trigger]
