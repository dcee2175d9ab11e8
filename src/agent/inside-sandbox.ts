// Runs inside rclone's sandbox, which has no network except a loopback interface and one Unix socket, and starts rclone with the
// agent's proxy behind that socket. argv: the program and its arguments. Imports no other file: the sandbox contains only this
// one.
import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'

const [program = '', ...args] = process.argv.slice(2)
const server = createServer((client) => {
  const proxy = connect('/proxy.sock')
  for (const socket of [client, proxy]) socket.on('error', () => {})
  client.pipe(proxy).pipe(client)
})
server.listen(0, '127.0.0.1', () => {
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const child = spawn(program, args, {
    env: { ...process.env, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    stdio: 'inherit',
  })
  // When the agent ends, also by a kill, this process ends, and the sandbox with it.
  connect('/proxy.sock')
    .on('error', () => {})
    .on('close', () => process.exit(1))
  child.on('error', () => process.exit(127))
  child.on('close', (code) => process.exit(code ?? 1))
})
