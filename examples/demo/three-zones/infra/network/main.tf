variable "zones" {
  type = list(string)
}

locals {
  # Who pays for the gateway of each zone.
  teams = { "eu-west-1a" = "shop", "eu-west-1b" = "shop" }
}

resource "aws_subnet" "private" {
  for_each          = toset(var.zones)
  availability_zone = each.key
  tags              = { Name = "private", team = "shop" }
}

resource "aws_eip" "nat" {
  for_each = toset(var.zones)
  domain   = "vpc"
  tags     = { Name = "nat", team = "shop" }
}

resource "aws_nat_gateway" "main" {
  for_each          = toset(var.zones)
  connectivity_type = "public"
  subnet_id         = aws_subnet.private[each.key].id
  allocation_id     = aws_eip.nat[each.key].id
  tags              = { Name = "main", team = lookup(local.teams, each.key, null) }
}
