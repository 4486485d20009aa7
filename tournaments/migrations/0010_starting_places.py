import django.core.serializers.json
from django.db import migrations, models

PLACEMENTS = [
    ("drawn", "Drawn"),
    ("fft_movement", "The federation’s movement"),
    ("howell", "Howell grid"),
    ("best_with_best", "Best with best"),
    ("final", "Seeds of a final"),
]


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0009_results_and_tie_breaks"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="chart",
            field=models.JSONField(
                blank=True,
                editable=False,
                encoder=django.core.serializers.json.DjangoJSONEncoder,
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="placement",
            field=models.CharField(choices=PLACEMENTS, default="drawn", max_length=16),
        ),
        migrations.AlterField(
            model_name="stage",
            name="placement",
            field=models.CharField(
                choices=PLACEMENTS,
                default="drawn",
                max_length=16,
                verbose_name="how the players are placed",
            ),
        ),
    ]
