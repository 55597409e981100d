"""A project and a signed-in annotator, for the tests of the work loop."""

import pytest
from django.test import Client

from annotate.models import Project, User
from tests import factories
from tests.integration.annotate.working import signed_in


@pytest.fixture
def project() -> Project:
    return factories.project("study")


@pytest.fixture
def person(project: Project) -> User:
    return factories.member(project)


@pytest.fixture
def web(person: User) -> Client:
    return signed_in(person)
