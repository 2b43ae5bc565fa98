variable "type" {
  type = string
}

resource "aws_instance" "app" {
  count         = terraform.workspace == "production" ? 4 : 1
  instance_type = var.type
  tags          = { Name = "app", team = "shop" }

  root_block_device {
    volume_type = "gp3"
    volume_size = 100
  }
}
