import net from 'node:net'
import type { TestContext } from 'node:test'
import { listen } from './receivers.ts'

/** Answers each question (without its line break) with a text; `questions` has them all. */
export async function startWhoisServer(t: Pick<TestContext, 'after'>, answers: Record<string, string>) {
  const questions: string[] = []
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (question) => {
      const asked = question.toString().replace(/\r\n$/, '')
      questions.push(asked)
      socket.end(answers[asked] ?? '')
    })
  })
  t.after(() => void server.close())
  return { port: await listen(server), questions }
}
