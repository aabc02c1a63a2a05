import type { Dialogue } from './line-server.ts'

/** The server's side of SSH, as far as both sides say what they are. */
export function speakSsh(): Dialogue {
  return {
    greeting: 'Authorized use only\r\nSSH-2.0-Test_1.0\r\n',
    answer: () => ({ step: 'ask', says: null }),
  }
}
