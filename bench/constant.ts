// Serves one buffer of the given size, to measure the cost of HTTP itself. argv: bytes.
import { randomBytes } from 'node:crypto'
import fastify from 'fastify'

const body = randomBytes(Number(process.argv[2]))
const app = fastify()
app.get('/', (_request, reply) =>
  reply.type('application/json').header('content-encoding', 'identity').send(body),
)
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
