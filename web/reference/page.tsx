import './reference.css'
import { useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { ApiFailure, base, jsonOf } from '../api/client.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { type ApiDocument, groupsOf, operationsOf } from './document.ts'
import { OperationView } from './operation-view.tsx'
import { hrefOf, SideList } from './side-list.tsx'
import { Text } from './text.tsx'

const useDocument = () =>
  useQuery({
    queryKey: ['document'],
    queryFn: async ({ signal }) => {
      const response = await fetch(new URL('openapi.json', base), { signal }).catch(() => undefined)
      if (!response?.ok)
        throw new ApiFailure(response?.status ?? 0, 'unavailable', 'The service cannot be reached')
      return jsonOf<ApiDocument>(response)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

const firstRequest = () =>
  `export RACKRATE_KEY='your API key'\ncurl -s -H "Authorization: Bearer $RACKRATE_KEY" '${new URL('api/v0/users/current', base).href}'`

/** The reference of the API: every operation of the OpenAPI document. It needs no key to be read. */
export function ReferencePage() {
  const query = useDocument()
  const { data: document } = query
  const chosen = new URLSearchParams(useSearch()).get('operation') ?? undefined
  const [, navigate] = useLocation()
  const find = useSignal('')
  const content = useRef<HTMLDivElement>(null)
  const operations = useMemo(() => (document ? operationsOf(document) : []), [document])
  const groups = groupsOf(operations, find.value)
  const operation = operations.find(({ operationId }) => operationId === chosen)
  const isFirst = useRef(true)
  useEffect(() => {
    window.document.title = `${operation?.summary ?? 'API'} – rackrate`
    // After the choice of an operation the focus moves to it, so that a screen reader continues there.
    if (operation && !isFirst.current) content.current?.focus()
    if (operation) window.scrollTo(0, 0)
    if (document) isFirst.current = false
  }, [operation, document])

  return (
    <main id="content" tabIndex={-1} class={operation ? 'reference chosen' : 'reference'}>
      <PageHead title="API" />
      {/* On a phone the content is above the list, and would move it. */}
      {document && (
        <SideList
          groups={groups}
          chosen={operation?.operationId}
          find={find.value}
          onFind={(text) => {
            find.value = text
          }}
          onEnter={() => {
            const [first] = [...groups.values()].flat()
            if (first) navigate(hrefOf(first))
          }}
        />
      )}
      <div class="content" ref={content} tabIndex={-1} aria-busy={!document}>
        <Status of={[query]} hasData={document !== undefined} />
        {operation && document ? (
          <>
            <p class="back">
              <Link href={pages.docs}>All operations</Link>
            </p>
            <OperationView key={operation.operationId} document={document} operation={operation} />
          </>
        ) : (
          document && (
            <>
              {chosen && (
                <p class="banner" role="status">
                  There is no operation <code>{chosen}</code>.
                </p>
              )}
              <section class="card" aria-labelledby="start">
                <h2 id="start">How requests and errors look</h2>
                <Text>{document.info.description}</Text>
                <p>
                  Also available as an <a href={new URL('openapi.json', base).href}>OpenAPI 3.1 document</a>,
                  for programs and client generators.
                </p>
              </section>
              <section class="card" aria-labelledby="first-request">
                <h2 id="first-request">A first request</h2>
                <pre>{firstRequest()}</pre>
                <p>
                  <CopyButton label="Copy the command" text={firstRequest} />
                </p>
              </section>
            </>
          )
        )}
      </div>
    </main>
  )
}
