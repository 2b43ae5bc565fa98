module "network" {
  source = "./network"
  zones  = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
}

module "database" {
  source = "./database"
  class  = local.database_class
}

module "web" {
  source = "./web"
  type   = local.web_type
}
