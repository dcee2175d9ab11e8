/** The `placeholderData` of a query: keeps the last answer while a query runs that differs only in the given parameters. */
export const keepUnlessOther =
  (question: object, ...parts: string[]) =>
  <Answer>(last: Answer | undefined, query: { queryKey: readonly unknown[] } | undefined) => {
    const rest = (one: unknown) =>
      JSON.stringify(one, (name, value) => (parts.includes(name) ? undefined : value))
    return query && rest(query.queryKey[2]) === rest(question) ? last : undefined
  }
