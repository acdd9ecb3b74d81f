from django.core.management import BaseCommand

from games import services


class Command(BaseCommand):
    help = "End running games of which an update has changed the rules. `prepare` does it at every deployment."

    def handle(self, **options: object) -> None:
        services.end_games_by_other_rules()
