import { CopyButton } from '../components/copy-button.tsx'
import { type ApiDocument, bodyOf, meaningOf, type Operation } from './document.ts'
import { exampleOf } from './example.ts'
import { Fields, Parameters } from './fields.tsx'
import { Line, Text } from './text.tsx'
import { TryForm } from './try-form.tsx'
import { typeOf } from './words.ts'

interface OperationViewProps {
  document: ApiDocument
  operation: Operation
}

/** One operation: its parameters, its responses, and a form to try it. */
export function OperationView({ document, operation }: OperationViewProps) {
  const { method, path, summary, description, parameters = [], requestBody, responses } = operation
  const permissions = operation['x-permissions']
  const body = bodyOf(requestBody?.content)
  const success = responses['200']
  const answer = bodyOf(success?.content)
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 300)
  return (
    <article class="operation card" aria-labelledby="operation">
      <h2 id="operation" class="name">
        {summary ?? operation.operationId}
      </h2>
      <p class="address">
        <strong>{method}</strong> <code>{path}</code>{' '}
        <CopyButton label="Copy the link" text={() => location.href} />
      </p>
      <Text>{description}</Text>
      <p class="note">
        {permissions ? (
          <>
            The key needs the permission <code>{permissions.join(' or ')}</code>.
          </>
        ) : (
          'No key is needed.'
        )}
      </p>
      {parameters.length > 0 && (
        <section aria-labelledby="parameters">
          <h3 id="parameters">Parameters</h3>
          <Parameters parameters={parameters} />
        </section>
      )}
      {body && (
        <section aria-labelledby="body">
          <h3 id="body">Body</h3>
          <p class="quiet">
            {body.type}, {typeOf(body.schema)}
          </p>
          <Fields document={document} schema={body.schema} isRequest />
        </section>
      )}
      <TryForm key={operation.operationId} document={document} operation={operation} />
      <section aria-labelledby="answer">
        <h3 id="answer">Answer</h3>
        {answer ? (
          <>
            <p class="quiet">
              200, {answer.type}, {typeOf(answer.schema)}
            </p>
            <Fields document={document} schema={answer.schema} />
            {answer.type.endsWith('json') && (
              <details class="example">
                <summary>Its form</summary>
                <pre>{JSON.stringify(exampleOf(document, answer.schema, false), null, 2)}</pre>
              </details>
            )}
          </>
        ) : (
          <p>{success?.description}</p>
        )}
      </section>
      <section aria-labelledby="errors">
        <h3 id="errors">Errors</h3>
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(([status, response]) => (
              <tr key={status}>
                <th scope="row">{status}</th>
                <td>
                  <Line>{meaningOf(document, response)}</Line>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </article>
  )
}
