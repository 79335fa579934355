/** A function that throws this. */
export const throwing = (value: unknown) => () => {
  throw value;
};

/** An error whose message may be no string. */
export const errorSaying = (message: unknown) => Object.assign(new Error("x"), { message });

/** A list that throws whatever is done with it. */
export const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};

/** Content with a text that throws when it is read. */
export const explosive = () => [
  Object.defineProperty({ type: "text" }, "text", { enumerable: true, get: throwing("boom") }),
];
