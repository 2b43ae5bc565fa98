variable "class" {
  type = string
}

resource "aws_db_parameter_group" "main" {
  family = "postgres15"
  tags   = { Name = "main", team = "data" }
}

resource "aws_db_instance" "main" {
  instance_class    = var.class
  multi_az          = false
  storage_type      = "gp2"
  allocated_storage = 500
  storage_encrypted = false
  tags              = { Name = "main", team = "data" }
}

resource "aws_db_snapshot" "nightly" {
  db_instance_identifier = aws_db_instance.main.identifier
  db_snapshot_identifier = "nightly"
  tags                   = { Name = "nightly", team = "data" }
}
