"""A project, its signed-in lead and an admin, for the tests of imports and exports."""

import pytest
from django.test import Client

from annotate.enums import Role
from annotate.models import Project
from tests import factories


@pytest.fixture
def project() -> Project:
    return factories.project("study")


@pytest.fixture
def lead(project: Project) -> Client:
    client = Client()
    client.force_login(factories.member(project, Role.LEAD))
    return client


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(factories.admin())
    return client
