/** What happens to a listener's error when the host names no handler: it is printed, and the run goes on (law 6). */
export function reportGuestError(error: unknown, occasion: string): void {
  console.error(`A listener threw on ${occasion}; the run goes on.`, error);
}
