import { type ApiDocument, type ApiParameter, resolved, type Schema } from './document.ts'
import { Line } from './text.tsx'
import { alternativesOf, typeOf, written } from './words.ts'

const deepest = 6

interface FieldProps {
  name: string
  schema: Schema
  isRequired?: boolean | undefined
  description?: string | undefined
  inner?: preact.ComponentChildren
}

function Field({ name, schema, isRequired = false, description, inner }: FieldProps) {
  const example = schema.example ?? schema.examples?.[0]
  return (
    <li>
      <code class="name">{name}</code> <span class="quiet">{typeOf(schema)}</span>
      {isRequired && <strong>, required</strong>}
      {schema.default !== undefined && (
        <span class="quiet">
          , default <code>{written(schema.default)}</code>
        </span>
      )}
      {example !== undefined && (
        <span class="quiet">
          , for example <code>{written(example)}</code>
        </span>
      )}
      {(description ?? schema.description) && (
        <p>
          <Line>{description ?? schema.description}</Line>
        </p>
      )}
      {inner}
    </li>
  )
}

/** The parameters of an operation. */
export const Parameters = ({ parameters }: { parameters: readonly ApiParameter[] }) => (
  <ul class="fields">
    {parameters.map(({ name, in: place, required, description, schema = {}, example }) => (
      <Field
        key={`${place} ${name}`}
        name={name}
        schema={{ ...schema, ...(example !== undefined && { example }) }}
        isRequired={required}
        description={description}
      />
    ))}
  </ul>
)

interface FieldsProps {
  document: ApiDocument
  schema: Schema
  /** True for fields of a request: required ones are marked. */
  isRequest?: boolean
  depth?: number
}

/** The fields of a body, including nested objects. */
export function Fields({ document, schema: given, isRequest = false, depth = 0 }: FieldsProps) {
  const schema = resolved(document, given)
  const { properties, items, additionalProperties: others, required = [] } = schema
  if (depth > deepest) return null
  const within = (one: Schema) => (
    <Fields document={document} schema={one} isRequest={isRequest} depth={depth + 1} />
  )
  if (properties)
    return (
      <ul class="fields">
        {Object.entries(properties).map(([name, one]) => {
          const field = resolved(document, one)
          return (
            <Field
              key={name}
              name={name}
              schema={field}
              isRequired={isRequest && required.includes(name)}
              inner={within(field)}
            />
          )
        })}
      </ul>
    )
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0)
    return (
      <>
        {alternatives.filter(hasFields).map((one, index) => (
          <div key={index}>
            {alternatives.filter(hasFields).length > 1 && (
              <p class="quiet">{index === 0 ? 'Either' : 'or'}</p>
            )}
            {within(one)}
          </div>
        ))}
      </>
    )
  if (items) return within(items)
  return typeof others === 'object' ? within(others) : null
}

const hasFields = ({ properties, items, additionalProperties, anyOf, oneOf, $ref }: Schema): boolean =>
  [properties, items, anyOf, oneOf, $ref].some(Boolean) || typeof additionalProperties === 'object'
