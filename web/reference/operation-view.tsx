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

/** All about one operation: what it takes, what it answers, and a form to try it. */
export function OperationView({ document, operation }: OperationViewProps) {
  const { method, path, summary, description, parameters = [], requestBody, responses } = operation
  const permissions = operation['x-permissions']
  const body = bodyOf(requestBody?.content)
  const success = responses['200']
  const answer = bodyOf(success?.content)
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 300)
  return (
    <article class="operation" aria-labelledby="operation">
      <h1 id="operation">{summary ?? operation.operationId}</h1>
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
          <h2 id="parameters">Parameters</h2>
          <Parameters parameters={parameters} />
        </section>
      )}
      {body && (
        <section aria-labelledby="body">
          <h2 id="body">Body</h2>
          <p class="quiet">
            {body.type}, {typeOf(body.schema)}
          </p>
          <Fields document={document} schema={body.schema} isRequest />
        </section>
      )}
      <TryForm key={operation.operationId} document={document} operation={operation} />
      <section aria-labelledby="answer">
        <h2 id="answer">Answer</h2>
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
        <h2 id="errors">Errors</h2>
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
