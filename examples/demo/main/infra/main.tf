module "network" {
  source = "./network"
  zones  = ["eu-west-1a"]
}

module "database" {
  source = "./database"
}

module "web" {
  source = "./web"
}
