<?php
// A receiver of Bluejay's webhooks, in PHP 8.1 or later, without dependencies.
// WEBHOOK_SECRET=whsec_… INBOX=inbox php -S 127.0.0.1:4000 receiver.php
const MAX_AGE_S = 300;
const MAX_BYTES = 65_536;

/** Returns whether the raw body was signed with our secret at most five minutes ago. */
function isGenuine(string $header, string $rawBody, string $secret): bool
{
    $parts = explode(',', $header);
    preg_match('/^t=(\d+),/', $header, $found);
    $time = $found[1] ?? '';
    $expected = 'v1=' . hash_hmac('sha256', "$time.$rawBody", $secret);
    $signed = array_filter($parts, fn (string $part): bool => hash_equals($expected, $part));
    return $signed !== [] && time() - (int) $time <= MAX_AGE_S;
}

/** Stores an event atomically in the inbox for your program. Returns false if it is already there. */
function keepOnce(array $event, string $rawBody, string $inbox): bool
{
    $subject = $event['itemId'] ?? $event['mailJobId'];
    $file = "$inbox/{$event['event']}.$subject.json";
    $part = tempnam($inbox, '.part-');
    $handle = fopen($part, 'w');
    $isWritten = fwrite($handle, $rawBody) === strlen($rawBody) && fsync($handle);
    $isNew = $isWritten && @link($part, $file);
    unlink($part);
    if (!$isNew && !file_exists($file)) {
        throw new RuntimeException("The event could not be kept in $inbox");
    }
    return $isNew;
}

function receive(string $secret, string $inbox): int
{
    $rawBody = (string) file_get_contents('php://input', length: MAX_BYTES + 1);
    if (strlen($rawBody) > MAX_BYTES) {
        return 413;
    }
    if (!isGenuine($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $rawBody, $secret)) {
        return 401;
    }
    $event = json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
    if (keepOnce($event, $rawBody, $inbox)) {
        file_put_contents('php://stdout', "{$event['event']} {$event['mailJobId']}\n");
    }
    return 204;
}

// By default PHP answers 200 after an error.
http_response_code(500);
$secret = getenv('WEBHOOK_SECRET') ?: throw new RuntimeException('Set WEBHOOK_SECRET to the secret of your webhook.');
$inbox = getenv('INBOX') ?: 'inbox';
is_dir($inbox) || mkdir($inbox, recursive: true);
http_response_code(receive($secret, $inbox));
