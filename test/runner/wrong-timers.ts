/*
 * Loaded into every process of tests. Node makes a millisecond of a time that is negative, not a number or too long,
 * and says so once: whoever counted on that time is wrong, so whatever test it happens in fails.
 */
process.on('warning', (warning) => {
  if (/^Timeout\w*Warning$/.test(warning.name)) throw warning
})
