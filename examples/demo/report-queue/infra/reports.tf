module "reports" {
  source = "./reports"
}
