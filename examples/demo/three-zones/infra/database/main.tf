variable "class" {
  type = string
}

resource "aws_db_parameter_group" "main" {
  family = "postgres16"
  tags   = { Name = "main", team = "data" }
}

resource "aws_db_instance" "main" {
  instance_class    = "db.r6g.2xlarge"
  multi_az          = true
  storage_type      = "gp3"
  allocated_storage = 1000
  storage_encrypted = true
  tags              = { Name = "main", team = "data" }
}

resource "aws_db_instance" "replica" {
  count               = 2
  replicate_source_db = aws_db_instance.main.identifier
  instance_class      = "db.r6g.xlarge"
  tags                = { Name = "replica", team = "data" }
}
