import { marketProperty } from '../../properties/market.ts'

marketProperty(4)
