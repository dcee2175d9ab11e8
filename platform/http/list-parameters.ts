import fastifyPlugin from 'fastify-plugin'

/** Reads `name[]=a&name[]=b`, as PHP and many libraries send lists, as `name=a,b`. A name that is there in both forms has several values, which its schema refuses. */
export const listParameters = fastifyPlugin(async (app) => {
  app.addHook('preValidation', async ({ query }) => {
    const given = query as Record<string, string | string[]>
    for (const [key, value] of Object.entries(given)) {
      if (!key.endsWith('[]')) continue
      const name = key.slice(0, -2)
      const text = [value].flat().join(',')
      given[name] = given[name] === undefined ? text : [given[name], text].flat()
    }
  })
})
