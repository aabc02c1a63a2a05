/** Checks cases that have nothing to do with each other, all at once. */
export async function sideBySide<Case>(
  cases: readonly Case[],
  check: (each: Case) => Promise<void>,
): Promise<void> {
  await Promise.all(cases.map(check))
}
