import { flowsProperty } from '../properties/flows.ts'

flowsProperty(1)
