/**
 * The rate-limit algorithm, run atomically by Redis.
 *
 * A request must pass both: GCRA, which allows `burst` at once and then one per interval, and a list of the requests
 * accepted in the last minute. GCRA alone would allow burst + limit in the first minute.
 *
 * Each refused request is told the time of a permit of its own, in the order of refusal, rounded up to whole seconds as
 * in `Retry-After`. As long as one of those times is ahead, only requests that fit one that has come are accepted. Callers
 * that wait as told then share the quota, and none that calls more often passes them. A permit more than a minute ahead,
 * as in quotas below the number of callers, is told as 60 seconds. A request that comes when its place is due and finds no
 * permit keeps the place. Beyond eight permits after that minute, requests are told 60 seconds and have no place. Permits
 * are up to five seconds ahead of the minute's quota, because callers come late, by rounding alone up to a second.
 *
 * KEYS: one list per check: the theoretical arrival time of the next request, the time of the last permit that a refused
 * request was promised, then the accepted times, newest first. A key may occur more than once. Its groups are then
 * processed in order. Beside each list is a sorted set of the promised permits, by the times that were told.
 * ARGV: five per check: group, cost, limit per minute, burst, and in tests the current time in microseconds. By default
 * the clock of Redis is used, so the clocks of API hosts do not matter. Checks of one group are adjacent.
 * A group is counted as a whole or not at all. Cost 1 counts, 0 only checks, -1 uncounts the newest request.
 * Returns four values per check: accepted 1 or 0, remaining, microseconds until full or until allowed, microseconds
 * until a refused request should come again: whole seconds, at most 60.
 */
export const gcraScript = `
local second = 1000000
local window = 60 * second
local spare_places = 8
local lateness = 5 * second

local function look(q)
  local arrival = tonumber(redis.call('LINDEX', q.key, 0) or '0')
  if arrival == 0 or arrival > q.now + q.burst * q.interval + second then
    redis.call('DEL', q.key, q.told)
    arrival = 0
  end

  local count = redis.call('LLEN', q.key) - 2
  while count > 0 and tonumber(redis.call('LINDEX', q.key, -1)) <= q.now - window do
    redis.call('RPOP', q.key)
    count = count - 1
  end
  q.count = math.max(count, 0)

  q.start = math.max(arrival, q.now)
  q.wait = q.start - (q.burst - 1) * q.interval - q.now
  if q.count >= q.limit then
    q.wait = math.max(q.wait, tonumber(redis.call('LINDEX', q.key, q.limit + 1)) + window - q.now)
  end

  local last = redis.call('ZRANGE', q.told, -1, -1, 'WITHSCORES')[2]
  q.promised = tonumber(redis.call('LINDEX', q.key, 1) or '0')
  q.isQueued = last and math.max(tonumber(last), q.promised) > q.now
  if q.isQueued then
    local due = redis.call('ZRANGEBYSCORE', q.told, 0, string.format('%.0f', q.now), 'LIMIT', 0, spare_places + 1)
    for _, permit in ipairs(due) do q.due = math.min(q.due or math.huge, tonumber(permit)) end
    q.wait = math.max(q.wait, (q.due or tonumber(redis.call('ZRANGE', q.told, 0, 0, 'WITHSCORES')[2])) - q.now)
  elseif last then
    redis.call('DEL', q.told)
  end
end

local function expire(q)
  local life = math.max(window, q.start - q.now, q.promised - q.now + second)
  for _, key in ipairs({ q.key, q.told }) do redis.call('PEXPIRE', key, math.ceil(life / 1000)) end
end

local function promise(q)
  local permit, fit = q.due, q.now
  if not permit then
    permit = math.max(q.start - (q.burst - 1) * q.interval, q.now, q.promised + q.interval)
    local ahead = math.min(redis.call('ZCARD', q.told), q.limit - 1)
    if q.count >= q.limit - ahead then
      fit = tonumber(redis.call('LINDEX', q.key, q.limit - ahead + 1)) + window
      permit = math.max(permit, fit - lateness)
    end
    if permit > q.now + window + spare_places * q.interval then return window end
    q.promised = permit
    redis.call('LSET', q.key, 1, string.format('%.0f', permit))
  end
  local retry = math.ceil(math.max(permit - q.now, q.wait, fit - q.now) / second) * second
  retry = math.min(retry, window)
  redis.call('ZADD', q.told, string.format('%.0f', q.now + retry), string.format('%.0f', permit))
  expire(q)
  return retry
end

local function put(q)
  q.start = q.start + q.interval
  q.count = q.count + 1
  if q.due then redis.call('ZREM', q.told, string.format('%.0f', q.due)) end
  redis.call('LPOP', q.key)
  local promised = redis.call('LPOP', q.key) or '0'
  redis.call('LPUSH', q.key, string.format('%.0f', q.now), promised, string.format('%.0f', q.start))
  expire(q)
end

local function refund(q)
  local newest = redis.call('LINDEX', q.key, 2)
  if not newest then return end
  redis.call('LSET', q.key, 0, string.format('%.0f', tonumber(redis.call('LINDEX', q.key, 0)) - q.interval))
  redis.call('LSET', q.key, 2, '')
  redis.call('LREM', q.key, 1, '')
end

local function answer(q)
  if q.wait > 0 then return 0, 0, q.wait, promise(q) end
  local free = math.floor((q.burst * q.interval - (q.start - q.now)) / q.interval)
  if q.isQueued then free = math.min(free, redis.call('ZCOUNT', q.told, 0, string.format('%.0f', q.now))) end
  return 1, math.min(free, q.limit - q.count), q.start - q.now, 0
end

local time = redis.call('TIME')
local present = time[1] * 1000000 + time[2]
local answers = {}

local function append(...)
  for _, value in ipairs({...}) do answers[#answers + 1] = value end
end

local function take(group)
  local isRefused = false
  for _, q in ipairs(group) do
    look(q)
    isRefused = isRefused or q.wait > 0
  end
  for _, q in ipairs(group) do
    if q.cost > 0 and not isRefused then put(q) end
    append(answer(q))
  end
end

local group = {}
for index, key in ipairs(KEYS) do
  local at = (index - 1) * 5
  local q = { key = key, told = key .. ':told', group = ARGV[at + 1], cost = tonumber(ARGV[at + 2]), limit = tonumber(ARGV[at + 3]) }
  q.burst = math.min(tonumber(ARGV[at + 4]), q.limit)
  q.now = tonumber(ARGV[at + 5]) or present
  q.interval = math.ceil(window / q.limit)
  if group[1] and group[1].group ~= q.group then
    take(group)
    group = {}
  end
  if q.cost < 0 then
    refund(q)
    append(1, 0, 0, 0)
  else
    group[#group + 1] = q
  end
end
take(group)
return answers
`;
