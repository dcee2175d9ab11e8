import { corruption, derivedTables } from '../../properties/corruption.ts'

const parts = derivedTables.map((name) => [name, ({ table }: { table: string }) => table === name])
corruption(Object.fromEntries(parts), { oneByOne: true })
