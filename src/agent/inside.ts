// Runs in rclone's world, which has no network but itself and one Unix socket: lets rclone find the agent's proxy there, then runs it.
// argv: the program and its arguments. Imports nothing of ours: it's the one file that is in that world.
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
  // With the agent, also when it was killed: with this process all of that world ends.
  connect('/proxy.sock')
    .on('error', () => {})
    .on('close', () => process.exit(1))
  child.on('error', () => process.exit(127))
  child.on('close', (code) => process.exit(code ?? 1))
})
