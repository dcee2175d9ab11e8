import { historyProperty } from '../properties/history.ts'

historyProperty(1)
