resource "aws_instance" "app" {
  count         = terraform.workspace == "production" ? 4 : 1
  instance_type = "m5.2xlarge"
  tags          = { Name = "app", team = "shop" }

  root_block_device {
    volume_type = "gp2"
    volume_size = 100
  }
}
