locals {
  web_type       = "m7g.xlarge"
  database_class = "db.m7g.xlarge"
}
