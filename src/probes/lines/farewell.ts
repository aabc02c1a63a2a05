/** A server that is slow to let us go has answered all the same. */
const FAREWELL_MS = 1_000

/** Waits for the answer to a farewell, but not for long, and whatever it is. */
export async function briefly(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS)
  })
  await Promise.race([answer.catch(() => {}), over])
  clearTimeout(timer)
}
