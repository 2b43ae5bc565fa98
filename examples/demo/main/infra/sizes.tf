locals {
  web_type       = "m5.2xlarge"
  database_class = "db.m5.2xlarge"
}
