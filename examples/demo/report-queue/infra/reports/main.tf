module "queue" {
  source = "registry.example.com/platform/queue/aws"
}

resource "aws_ecs_service" "worker" {
  name          = "reports"
  desired_count = terraform.workspace == "production" ? 4 : 2
  tags          = { Name = "worker", team = "data" }
}
