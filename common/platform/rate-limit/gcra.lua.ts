/**
 * The rate-limit algorithm, run atomically by Redis.
 *
 * A request must pass both: GCRA, which allows `burst` at once and then one per interval, and a list of the requests
 * accepted in the last minute. GCRA alone would allow burst + limit in the first minute.
 *
 * KEYS: one list per check: the theoretical arrival time of the next request, then the accepted times, newest first. A
 * key may occur more than once. Its groups are then processed in order.
 * ARGV: five per check: group, cost, limit per minute, burst, and in tests the current time in microseconds. By default
 * the clock of Redis is used, so the clocks of API hosts do not matter. Checks of one group are adjacent.
 * A group is counted as a whole or not at all. Cost 1 counts, 0 only checks, -1 uncounts the newest request.
 * Returns three values per check: accepted 1 or 0, remaining, microseconds until full or until allowed.
 */
export const gcraScript = `
local window = 60000000

local function look(q)
  local arrival = tonumber(redis.call('LINDEX', q.key, 0) or '0')
  if arrival > q.now + q.burst * q.interval + 1000000 then
    redis.call('DEL', q.key)
    arrival = 0
  end

  local count = redis.call('LLEN', q.key) - 1
  while count > 0 and tonumber(redis.call('LINDEX', q.key, -1)) <= q.now - window do
    redis.call('RPOP', q.key)
    count = count - 1
  end
  q.count = math.max(count, 0)

  q.start = math.max(arrival, q.now)
  q.wait = q.start - (q.burst - 1) * q.interval - q.now
  if q.count >= q.limit then
    q.wait = math.max(q.wait, tonumber(redis.call('LINDEX', q.key, q.limit)) + window - q.now)
  end
end

local function put(q)
  q.start = q.start + q.interval
  q.count = q.count + 1
  redis.call('LPOP', q.key)
  redis.call('LPUSH', q.key, string.format('%.0f', q.now), string.format('%.0f', q.start))
  redis.call('PEXPIRE', q.key, math.ceil(math.max(window, q.start - q.now) / 1000))
end

local function refund(q)
  local newest = redis.call('LINDEX', q.key, 1)
  if not newest then return end
  redis.call('LSET', q.key, 0, string.format('%.0f', tonumber(redis.call('LINDEX', q.key, 0)) - q.interval))
  redis.call('LREM', q.key, 1, newest)
end

local function answer(q)
  if q.wait > 0 then return 0, 0, q.wait end
  local free = math.floor((q.burst * q.interval - (q.start - q.now)) / q.interval)
  return 1, math.min(free, q.limit - q.count), q.start - q.now
end

local time = redis.call('TIME')
local present = time[1] * 1000000 + time[2]
local answers = {}

local function take(group)
  local isRefused = false
  for _, q in ipairs(group) do
    look(q)
    isRefused = isRefused or q.wait > 0
  end
  for _, q in ipairs(group) do
    if q.cost > 0 and not isRefused then put(q) end
    answers[#answers + 1], answers[#answers + 2], answers[#answers + 3] = answer(q)
  end
end

local group = {}
for index, key in ipairs(KEYS) do
  local at = (index - 1) * 5
  local q = { key = key, group = ARGV[at + 1], cost = tonumber(ARGV[at + 2]), limit = tonumber(ARGV[at + 3]) }
  q.burst = tonumber(ARGV[at + 4])
  q.now = tonumber(ARGV[at + 5]) or present
  q.interval = math.ceil(window / q.limit)
  if group[1] and group[1].group ~= q.group then
    take(group)
    group = {}
  end
  if q.cost < 0 then
    refund(q)
    answers[#answers + 1], answers[#answers + 2], answers[#answers + 3] = 1, 0, 0
  else
    group[#group + 1] = q
  end
end
take(group)
return answers
`;
