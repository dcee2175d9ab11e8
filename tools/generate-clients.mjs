// Writes client/schema.ts and client/python/rackrate/api.py from the OpenAPI document of the built service. `npm run build` runs it.
import { writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { documentOf, fingerprintOf } from '../dist/src/openapi-document.js'

const document = await documentOf()
const origin = `Of the document ${fingerprintOf(document)}. Written by tools/generate-clients.mjs.`
const write = (file, text) => writeFileSync(new URL(`../client/${file}`, import.meta.url), text)

/** Source of the classes, by name. A class comes after the classes that it refers to. */
const classes = new Map()

const pascal = (name) =>
  name.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, _gap, letter) => letter.toUpperCase())
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const literal = (value) =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)
const isName = (name) =>
  /^[A-Za-z_]\w*$/.test(name) &&
  !['from', 'class', 'global', 'is', 'in', 'not', 'or', 'and', 'import', 'pass'].includes(name)
const scalars = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

/** The Python type of a schema. `name` is used if the schema becomes a class. */
function typeOf(schema, name) {
  if (schema.$ref)
    return typeOf(document.components.schemas[schema.$ref.split('/').at(-1)], schema.$ref.split('/').at(-1))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return union(options.map((option, n) => typeOf(option, n === 0 ? name : `${name}${n + 1}`)))
  if ('const' in schema) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, name)))
  if (schema.type === 'array') return `list[${schema.items ? typeOf(schema.items, name) : 'Any'}]`
  if (schema.type === 'object') return typeOfObject(schema, name)
  return scalars[schema.type] ?? 'Any'
}

const union = (types) => [...new Set(types)].join(' | ')

function typeOfObject({ properties, required = [], additionalProperties }, name) {
  if (!properties || Object.keys(properties).length === 0)
    return `dict[str, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, name) : 'Any'}]`
  const fields = Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema, `${name}${pascal(key)}`)
    return [key, required.includes(key) ? type : `NotRequired[${type}]`]
  })
  classes.set(
    name,
    fields.every(([key]) => isName(key))
      ? `class ${name}(TypedDict):\n${fields.map(([key, type]) => `    ${key}: ${type}`).join('\n')}\n`
      : `${name} = TypedDict("${name}", {${fields.map(([key, type]) => `"${key}": "${type.replaceAll('"', "'")}"`).join(', ')}})\n`,
  )
  return name
}

function methodOf(path, method, { operationId, summary, parameters = [], requestBody, responses }) {
  const name = pascal(operationId)
  const given = parameters.map(({ name: key, in: place, required = false, schema }) => {
    const type = typeOf(schema, `${name}${pascal(key)}`)
    return { key, place, required, type: place === 'query' && type === 'str' ? 'str | Sequence[str]' : type }
  })
  const bodySchema = requestBody?.content['application/json']?.schema
  const answer = responses['200']?.content ?? {}
  const json = answer['application/json']?.schema
  const result =
    Object.keys(answer).length === 1 && json ? typeOf(json, `${name}Answer`) : json ? 'Any' : 'bytes'
  const signature = [
    'self',
    ...given.filter(({ place }) => place === 'path').map(({ key }) => `${key}: int | str`),
    ...(bodySchema ? [`body: ${typeOf(bodySchema, `${name}Body`)}`] : []),
  ]
  const query = given.filter(({ place }) => place === 'query')
  if (query.length > 0)
    signature.push(
      '*',
      ...query
        .toSorted((a, b) => Number(b.required) - Number(a.required))
        .map(({ key, type, required }) => (required ? `${key}: ${type}` : `${key}: ${type} | None = None`)),
    )
  const address = path.replace(/\{(\w+)\}/g, (_, key) => `{quote(str(${key}), safe="")}`)
  const call = [
    `"${method.toUpperCase()}"`,
    `${address === path ? '' : 'f'}${JSON.stringify(address).replaceAll('\\"', "'")}`,
    ...(query.length > 0 ? [`query={${query.map(({ key }) => `"${key}": ${key}`).join(', ')}}`] : []),
    ...(bodySchema ? ['body=body'] : []),
  ]
  return `    def ${snake(operationId)}(${signature.join(', ')}) -> ${result}:
        """${summary}: ${method.toUpperCase()} ${path}"""
        return self._call(${call.join(', ')})
`
}

// A stream of events does not end, so it is not a call.
const isCall = ({ responses }) => !responses['200']?.content?.['text/event-stream']
const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, operation]) =>
    isCall(operation) ? [methodOf(path, method, operation)] : [],
  ),
)

write('schema.ts', `// ${origin}\n${astToString(await openapiTypescript(document))}`)
write(
  'python/rackrate/api.py',
  `# ${origin}
from __future__ import annotations

from typing import Any, Literal, NotRequired, Sequence, TypedDict
from urllib.parse import quote

from .transport import Transport

${[...classes.values()].join('\n')}

class Client(Transport):
    """The operations of a rackrate service. Each raises RackrateError when the service refuses it or cannot be reached."""

${methods.join('\n')}`,
)
